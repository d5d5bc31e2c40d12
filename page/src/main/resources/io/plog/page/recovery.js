// What only the page of a recovery has: where it was measured.

BUILD.subtitle = () => page.documents.subtitle;
