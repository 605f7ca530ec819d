/** Loads what the header has for those who are signed in. Pages for them ask for it before it is known who reads, so that it comes with them. */
export const loadSignedInHeader = () => import('./SignedInHeader.tsx');
