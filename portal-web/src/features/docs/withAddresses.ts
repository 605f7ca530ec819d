/** A guide with this service's addresses in the places of {base_url} and {portal_url}. */
export function withAddresses(markdown: string, { machineApiUrl, portalUrl }: { machineApiUrl: string; portalUrl: string }): string {
  return markdown.replaceAll('{base_url}', machineApiUrl).replaceAll('{portal_url}', portalUrl);
}
