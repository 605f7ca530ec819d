import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus to the field that a page begins with, once. It is for pages that are nothing but a form, whose reader types next: their form
 * has a name, which is read out with the field in place of the heading.
 */
export function useFirstField(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => field.current?.focus({ preventScroll: true }), [field]);
}
