/** The addresses below which everything is a tab of one page: an integration's, its owner's or an administrator's. */
const withTabs = /^(?:\/admin)?\/integrations\/(?!new$)[^/]+/;

/** The page that an address belongs to. The tabs of an integration are one page. */
export function pageOf(pathname: string): string {
  return withTabs.exec(pathname)?.[0] ?? pathname;
}
