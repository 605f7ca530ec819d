/** A guide in which {base_url} and {portal_url} are replaced by this service's addresses. */
export function withAddresses(markdown: string, { machineApiUrl, portalUrl }: { machineApiUrl: string; portalUrl: string }): string {
  return markdown.replaceAll('{base_url}', machineApiUrl).replaceAll('{portal_url}', portalUrl);
}
