import type { FieldError } from '../shared/DomainError.ts';
import { flawOf, isBlank } from '../shared/text/writtenText.ts';
import { numberWords } from '../shared/text/numberWords.ts';

type TextRule = { readonly path: string; readonly name: string; readonly most: number };

/** What is wrong with a text for people to read: its length, or invisible characters. */
export function textErrors(text: string, { path, name, most }: TextRule): FieldError[] {
  const length = [...text].length;
  if (isBlank(text) || length > most) return [{ path, message: `${name} must have 1 to ${numberWords(most)} characters.` }];
  const flaw = flawOf(text, { lines: true });
  return flaw === null ? [] : [{ path, message: `${name} ${flaw}.` }];
}

/** Whether the text is an existing day of this century, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
