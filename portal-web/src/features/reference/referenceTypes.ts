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

/** A page of the reference, as Markdown without its title. Only operations have samples: events are received by the guide’s receivers. */
export type ReferencePage = { readonly markdown: string; readonly samples: Samples | null };

/** Loads a page of the reference by an operation’s name, an event’s type, or `overview`. */
export type ReferenceLoaders = Readonly<Record<string, () => Promise<{ default: ReferencePage }>>>;

export const languages = ['curl', 'typescript', 'python', 'go', 'java'] as const;
export type Language = (typeof languages)[number];

/** A piece of code: plain text, a comment, a string, a keyword, or the place of one of the reader's own values. */
export type Piece = readonly [kind: '' | 'comment' | 'string' | 'keyword' | 'value', text: string];
export type Sample = readonly Piece[];
export type Samples = Readonly<Record<Language, Sample>>;

/** The places that samples have for a reader's own values. */
export type Slot = 'origin' | 'host' | 'name' | 'files' | 'order_id' | 'vehicle_id' | 'revocation_id' | 'link_code';
export type SlotValues = Readonly<Record<Slot, string>>;
