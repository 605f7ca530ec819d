import type { IntegrationPaths } from '../../paths.ts';
import type { Item } from './submissionForm.ts';

/** The tab of the portal that helps with an item of the checklist, if one does. */
export function mendingPlace(item: Item, to: IntegrationPaths): { label: string; to: string } | null {
  switch (item) {
    case 'attribution':
    case 'mixedSources':
    case 'footerBadge':
    case 'linkingPage':
      return { label: 'Copy it from the kit', to: to.kit() };
    case 'privacy':
    case 'terms':
    case 'support':
      return { label: 'Edit the profile', to: to.profile() };
    case 'deletion':
      return { label: 'Try a deletion in the sandbox', to: to.sandbox() };
    case 'noMonetization':
      return null;
  }
}
