import type { EventName, FieldRow, OperationName, Samples } from '../src/features/reference/referenceTypes.ts';

export type Content = { readonly mediaType: string; readonly fields: readonly FieldRow[]; readonly example: string };

export type Parameter = FieldRow & { readonly in: 'path' | 'query' | 'header' };

export type Answer = {
  readonly status: string;
  readonly words: string;
  readonly headers: readonly FieldRow[];
  readonly content: Content | null;
};

export type ProblemRow = { readonly status: string; readonly code: string; readonly title: string; readonly advice: string };

export type OperationReference = OperationName & {
  readonly words: string;
  readonly parameters: readonly Parameter[];
  readonly body: (Content & { readonly words: string }) | null;
  readonly answers: readonly Answer[];
  readonly problems: readonly ProblemRow[];
  readonly samples: Samples;
};

/** A form in which an event is delivered: with references only, or with a snapshot. */
export type EventForm = { readonly words: string; readonly fields: readonly FieldRow[]; readonly example: string };

export type EventReference = EventName & {
  readonly headers: readonly FieldRow[];
  readonly exampleHeaders: string;
  readonly forms: readonly EventForm[];
};
