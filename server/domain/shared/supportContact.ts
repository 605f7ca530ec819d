/** Where people reach those who run the service: what a link leads to (`mailto:` or `https:`), and the words that stand for it. */
export type SupportContact = { readonly url: string; readonly text: string };

/** What stands there on a developer's machine, where nobody needs reaching. */
export const developmentContact: SupportContact = { url: 'mailto:support@localhost', text: 'support@localhost' };
