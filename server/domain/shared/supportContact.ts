/** Where people reach those who run the service: what a link leads to (`mailto:` or `https:`), and the words that stand for it. */
export type SupportContact = { readonly url: string; readonly text: string };
