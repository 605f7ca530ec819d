type Facts = { readonly machineApiUrl: string; readonly portalUrl: string; readonly supportContact: { readonly text: string } };

/** A guide in which {base_url}, {portal_url} and {support} are replaced by this service's own. */
export function withAddresses(markdown: string, { machineApiUrl, portalUrl, supportContact }: Facts): string {
  return markdown
    .replaceAll('{base_url}', machineApiUrl)
    .replaceAll('{portal_url}', portalUrl)
    .replaceAll('{support}', supportContact.text);
}
