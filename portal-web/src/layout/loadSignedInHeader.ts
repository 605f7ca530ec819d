const load = () => import('./SignedInHeader.tsx');

let loaded: Awaited<ReturnType<typeof load>> | null = null;

/** Loads what the header has for those who are signed in. Pages for them ask for it before it is known who reads, so that it comes with them. */
export async function loadSignedInHeader() {
  loaded = await load();
  return loaded;
}

/** What is loaded by now. A lazy component would show nothing at first all the same, and React would show it only a moment later. */
export const loadedSignedInHeader = () => loaded?.SignedInHeader ?? null;
