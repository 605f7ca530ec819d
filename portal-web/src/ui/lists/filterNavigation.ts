import type { NavigateOptions } from 'react-router';

/**
 * How a filter gets into the address: in place, the page stays where it is, and at once. As a transition, which is what a router does
 * otherwise, the page would show the former choice a while longer on a slow machine, and the next one would be made without it.
 */
export const filterNavigation = { replace: true, preventScrollReset: true, flushSync: true } as const satisfies NavigateOptions;
