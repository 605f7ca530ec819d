import type { FieldError } from '../shared/DomainError.ts';
import { hasControls, isBlank } from '../shared/writtenText.ts';

type TextRule = { readonly path: string; readonly name: string; readonly most: number };

/** What is wrong with a text that people will read: its length, or characters that nobody sees. */
export function textErrors(text: string, { path, name, most }: TextRule): FieldError[] {
  const length = [...text].length;
  if (isBlank(text) || length > most) return [{ path, message: `${name} must have 1 to ${most.toLocaleString('en')} characters.` }];
  return hasControls(text, { lines: true }) ? [{ path, message: `${name} contains control characters.` }] : [];
}

/** Whether the text is a day that exists, as YYYY-MM-DD, of this century. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
