// What only the page of a recovery has: where it was measured, and the means.

BUILD.subtitle = () => page.documents.subtitle;
BUILD.means = () => h("div", null, page.documents.means.map((mean) => h("p", null, mean)));
