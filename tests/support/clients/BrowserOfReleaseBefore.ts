import { type Answer, PortalClient } from './portalClient.ts';

/** The documents are this tree’s. It leaves out each field that the release before does not know, as the pages of that release do. */
export class BrowserOfReleaseBefore extends PortalClient {
  override async graphql<Data>(
    query: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Answer<Data>> {
    const answer = await super.graphql<Data>(query, variables, headers);
    const later = answer.errors.flatMap(({ message }) => /^Cannot query field "(\w+)"/.exec(message)?.[1] ?? []);
    const asked = later.reduce((text, field) => text.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), ''), query);
    return asked === query ? answer : this.graphql(asked, variables, headers);
  }
}
