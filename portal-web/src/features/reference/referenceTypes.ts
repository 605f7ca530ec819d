/** What the build makes of the machine contract and of the description of the webhooks (portal-web/documentation). */
export type ReferenceIndex = {
  /** In the order of the contract, which is the order in which they are needed. */
  readonly operations: readonly OperationName[];
  readonly events: readonly EventName[];
};

export type OperationName = {
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  readonly path: string;
};

export type EventName = { readonly type: string; readonly summary: string };

/** One value of a parameter, a body, an answer or a payload, with its path: `tombstones[].revocation_id`. Words are Markdown. */
export type FieldRow = { readonly name: string; readonly type: string; readonly required: boolean; readonly words: string };

/** A heading with what is below it. The anchor of each row begins with `anchors`. */
export type ReferencePart = {
  readonly heading: string | null;
  readonly words: string;
  readonly anchors: string;
  readonly rows: readonly FieldRow[];
};

/** Parts that have one example beside them, which is empty if they have none. The first section of an operation has the sample instead. */
export type ReferenceSection = { readonly parts: readonly ReferencePart[]; readonly example: string };

/** A page of the reference without its title. Only operations have samples: events are received by the guide’s receivers. */
export type ReferencePage = { readonly sections: readonly ReferenceSection[]; readonly samples: Samples | null };

/** The page of a problem's code: the title, what it advises in a line, and the rest as Markdown. */
export type ProblemDocument = { readonly title: string; readonly status: number; readonly lead: string; readonly markdown: string };

/** Loads a page of the reference by an operation’s name, an event’s type, or `overview`. */
export type ReferenceLoaders = Readonly<Record<string, () => Promise<{ default: ReferencePage }>>>;

export const languages = ['curl', 'typescript', 'python', 'go', 'java'] as const;
export type Language = (typeof languages)[number];

/** A piece of code: plain text, a comment, a string, a keyword, or the place of one of the reader's own values. */
export type Piece = readonly [kind: '' | 'comment' | 'string' | 'keyword' | 'number' | 'value', text: string];
export type Sample = readonly Piece[];
export type Samples = Readonly<Record<Language, Sample>>;

/** The places that samples have for a reader's own values. */
export type Slot =
  | 'origin'
  | 'host'
  | 'kit_url'
  | 'environment'
  | 'name'
  | 'files'
  | 'order_id'
  | 'vehicle_id'
  | 'revocation_id'
  | 'link_code';
export type SlotValues = Readonly<Record<Slot, string>>;
