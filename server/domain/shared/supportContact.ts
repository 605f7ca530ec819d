/** How people reach those who run the service: the target of a link (`mailto:` or `https:`), and the words of the link. */
export type SupportContact = { readonly url: string; readonly text: string };

/** The contact on a developer's machine, where nobody needs to be reached. */
export const developmentContact: SupportContact = { url: 'mailto:support@localhost', text: 'support@localhost' };
