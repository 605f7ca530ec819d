import { paths } from '../paths.ts';

/** The header's links for somebody with these roles, in their order. */
export function mainLinks(roles: readonly string[]): { readonly word: string; readonly to: string }[] {
  return [
    { word: 'Integrations', to: paths.integrations },
    ...(roles.includes('reviewer') ? [{ word: 'Review', to: paths.review }] : []),
    ...(roles.includes('administrator') ? [{ word: 'Admin', to: paths.admin }] : []),
    { word: 'Docs', to: paths.docs },
  ];
}
