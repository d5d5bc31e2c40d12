// What a page does that plog view serves: it leads to the other pages, shows how far a run is, and draws anew what
// has changed.

const EVERY_MILLIS = 1000;
const view = () => page.documents.view;
const underWay = () => view().run?.state === "under-way";

function progressOf({ done, total, text }) {
  return h(
    "p.progress",
    null,
    total > 0 ? h("progress", { max: total, value: Math.min(done, total), "aria-label": "done" }) : null,
    " ",
    text,
  );
}

served.first = () => (view().a ? ["comparison"] : []);
served.head = () => {
  const { own, run, a, b } = view();
  const link = ({ name }) => h("a", { href: "/run?" + new URLSearchParams({ name }) }, name);
  return [
    own === "/?" || run?.name === "."
      ? null
      : h(
          "nav.view",
          { "aria-label": "Runs" },
          h("a", { href: "/" }, "All runs"),
          run ? h("span", null, run.name) : null,
          a ? [h("span", null, "A: ", link(a)), h("span", null, "B: ", link(b))] : null,
        ),
    run && ["under-way", "interrupted"].includes(run.state)
      ? h("div#live", null, underWay() ? progressOf(run) : h("p.progress", null, `interrupted: ${run.text}`))
      : null,
  ];
};

/** Draws the page with other data, where the reader is and with what the reader has opened. */
async function renew(packed) {
  const titles = (one) => one.querySelector("summary").textContent;
  const open = new Set([...document.querySelectorAll("details[open]")].map(titles));
  const [top, focus] = [scrollY, document.activeElement.id];
  await take(packed);
  build();
  apply();
  for (const one of document.querySelectorAll("details")) if (open.has(titles(one))) one.open = true;
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  scrollTo({ top, behavior: "instant" });
}

const fetched = async (as) => {
  const answer = await fetch(view().own + new URLSearchParams({ as }));
  if (!answer.ok) throw new Error(`plog view answers ${answer.status}`);
  return answer;
};

/** A page of another kind has other scripts: of a run that ended, or that has its first figures. */
async function follow() {
  if (!document.hidden) {
    try {
      const now = await (await fetched("state")).json();
      if (underWay() && now.run.state !== "under-way") return location.reload();
      if (now.version !== view().version && view().version === "none") return location.reload();
      if (now.version !== view().version) await renew(await (await fetched("data")).text());
      if (underWay()) document.getElementById("live").replaceChildren(progressOf(now.run));
    } catch (failure) {
      document
        .getElementById("live")
        ?.replaceChildren(h("p.progress", null, "plog view does not answer; this is what was known last."));
    }
  }
  setTimeout(follow, EVERY_MILLIS);
}

served.follow = () => {
  if (view().own && (page.documents.lines || underWay())) follow();
};
