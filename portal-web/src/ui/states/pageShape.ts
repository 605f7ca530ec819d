import { matchPath } from 'react-router';
import { integrationIn, ownersTabs, pages, tabs } from '../../paths.ts';

/**
 * What a page consists of below its title: the rows of a table, panels below each other, a main column with a narrower one beside it, fields,
 * those of a single task in the middle, a text to read in the middle, or text.
 */
export type PageShape = 'table' | 'panels' | 'columns' | 'form' | 'task' | 'reading' | 'text';

/** The first that fits. What is not here is a list. */
const pageShapes: readonly (readonly [pattern: string, shape: PageShape])[] = [
  [pages.landing, 'text'],
  ...[pages.register, pages.verify, pages.confirmAddress, pages.enrol, pages.recoveryCodes, pages.signIn, pages.recover].map(
    (door) => [door, 'task'] as const,
  ),
  [`${pages.docs}/*`, 'text'],
  [pages.terms, 'reading'],
  [pages.acceptTerms, 'text'],
  [pages.adminTerms, 'text'],
  [pages.newIntegration, 'form'],
  [pages.account, 'panels'],
  [pages.adminGate, 'panels'],
  [pages.adminOperator, 'panels'],
  [pages.minorRevisions, 'table'],
  [pages.businessModels, 'table'],
  [pages.submission, 'columns'],
];

const tabShapes: readonly (readonly [pattern: string, shape: PageShape])[] = [
  [tabs.webhooks, 'panels'],
  [tabs.webhookEndpoint, 'panels'],
  [ownersTabs.webhookTest, 'panels'],
  [tabs.webhookDelivery, 'panels'],
  [tabs.sandbox, 'columns'],
  [tabs.production, 'panels'],
  [tabs.profile, 'panels'],
  [ownersTabs.kit, 'panels'],
];

/** The shape of the page at this address, and whether it is a tab of an integration. */
export function pageShape(pathname: string): { readonly shape: PageShape; readonly isTab: boolean } {
  const found = (shapes: typeof pageShapes, path: string) => shapes.find(([pattern]) => matchPath(pattern, path))?.[1] ?? 'table';
  const within = integrationIn(pathname);
  if (!within) return { shape: found(pageShapes, pathname), isTab: false };
  const isOverview = within.tab.replace('/', '') === '';
  // What administrators see of an integration has no tabs before they look as its owner.
  return { shape: isOverview ? 'columns' : found(tabShapes, within.tab), isTab: within.at === pages.integration || !isOverview };
}
