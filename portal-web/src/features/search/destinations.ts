import { integrationIn, pagePatterns, pages, paths, tabs } from '../../paths.ts';
import { tabWords } from '../integration/tabWords.ts';
import { administrationTabs } from '../administration/administrationTabs.ts';

/** A page that the palette leads to. */
type Destination = { readonly label: string; readonly to: string };

const administration: readonly Destination[] = administrationTabs.map(({ word, path }) => ({
  label: `Administration: ${word.toLowerCase()}`,
  to: path,
}));

/** The tabs of the integration whose page is at this address. */
function tabsBelow(page: string): Destination[] {
  return Object.entries(tabWords).map(([name, label]) => ({ label, to: page + (name in tabs ? tabs[name as keyof typeof tabs] : '') }));
}

/** The pages that somebody with these roles can go to from here, those of the integration that is open first. */
export function destinationsFrom(pathname: string, roles: readonly string[]): Destination[] {
  const above = pageAbove(pathname);
  const integration = integrationIn(pathname);
  const open = integration?.at === pages.integration ? integration.page : undefined;
  return [
    ...(above === null ? [] : [{ label: 'Go up', to: above }]),
    ...(open === undefined ? [] : tabsBelow(open)),
    { label: 'Integrations', to: paths.integrations },
    { label: 'New integration', to: paths.newIntegration },
    ...(roles.includes('reviewer') ? [{ label: 'Review queue', to: paths.review }] : []),
    ...(roles.includes('administrator') ? administration : []),
    { label: 'Activity', to: paths.activity },
    { label: 'Account', to: paths.account },
    { label: 'Documentation', to: paths.docs },
  ].filter(({ to }) => to !== pathname);
}

/** The nearest page above this one, as the addresses nest, or null if there is none. */
function pageAbove(pathname: string): string | null {
  const parts = pathname.split('/').filter(Boolean);
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const path = `/${parts.slice(0, length).join('/')}`;
    if (pagePatterns.some((pattern) => matches(pattern, path))) return path;
  }
  return null;
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
}
