/** Why a draft was not stored. */
export type Refusal = {
  readonly words: string;
  /** Whether something else is stored than what the page replaces, so that the reader has to choose. */
  readonly conflict: boolean;
};

/** The version that is now stored, or why nothing was stored. */
type Saved = { readonly version: number } | { readonly refusal: Refusal };

type Slot<Draft> = {
  draft: Draft;
  version: number;
  unsaved: boolean;
  /** Whether the service had another version when this was sent. */
  refused: boolean;
  running: Promise<void> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/** How long nothing is typed before it is saved, in milliseconds. */
const pause = 600;

/**
 * Saves drafts as they are made, each part in its order, so that no older text arrives after a newer one. What is refused stays here and is
 * tried again only when the reader says which one to keep.
 */
export class DraftSaver<Part extends string, Draft> {
  readonly #slots = new Map<Part, Slot<Draft>>();
  readonly #save: (part: Part, draft: Draft, version: number) => Promise<Saved>;
  readonly #onChange: () => void;
  #refusal: Refusal | null = null;
  #answered: (saved: Saved) => void = () => {};
  #subject: string | undefined;

  constructor(save: (part: Part, draft: Draft, version: number) => Promise<Saved>, onChange: () => void) {
    this.#save = save;
    this.#onChange = onChange;
  }

  /** Why the last attempt to save was refused; null if nothing stands in the way. */
  get refusal(): Refusal | null {
    return this.#refusal;
  }

  /** The parts of which something else is stored than what this page had. */
  get conflicts(): Part[] {
    return [...this.#slots].flatMap(([part, { refused }]) => (refused ? [part] : []));
  }

  /** Whether everything has been stored. */
  get saved(): boolean {
    return [...this.#slots.values()].every(({ unsaved }) => !unsaved);
  }

  /** What was entered here; undefined if that is nothing, or if `version`, which the service has, is later. */
  draftOf(part: Part, version: number): Draft | undefined {
    const slot = this.#slots.get(part);
    return slot && (slot.unsaved || slot.version >= version) ? slot.draft : undefined;
  }

  /** What was entered here and is stored nowhere else. */
  unsavedOf(part: Part): Draft | undefined {
    const slot = this.#slots.get(part);
    return slot?.unsaved ? slot.draft : undefined;
  }

  /** Remembers a draft and saves it: a text when the reader pauses, anything else at once. `version` is the one that the page was given. */
  set(part: Part, draft: Draft, version: number, atOnce: boolean): void {
    const slot = this.#slots.get(part) ?? { draft, version, unsaved: true, refused: false, running: null, timer: undefined };
    this.#slots.set(part, slot);
    if (!slot.unsaved && version > slot.version) slot.version = version;
    slot.draft = draft;
    slot.unsaved = true;
    clearTimeout(slot.timer);
    if (this.#refusal === null) slot.timer = setTimeout(() => void this.#store(part), atOnce ? 0 : pause);
    this.#onChange();
  }

  /** Saves what is not saved yet. Answers whether everything is stored now. */
  async flush(): Promise<boolean> {
    do await Promise.all([...this.#slots.keys()].map((part) => this.#store(part)));
    while (!this.saved && this.#refusal === null);
    return this.saved;
  }

  /** After a refusal: tries again to save what is here. */
  retry(): Promise<boolean> {
    this.#refusal = null;
    return this.flush();
  }

  /** After a conflict: what is here replaces whatever is stored by now. `versions` are the ones that the service has. */
  keepMine(versions: (part: Part) => number): Promise<boolean> {
    for (const [part, slot] of this.#slots) {
      if (slot.refused) slot.version = versions(part);
      slot.refused = false;
    }
    return this.retry();
  }

  /** After a conflict: what is stored replaces what is here, and the other parts are saved. */
  takeTheirs(): Promise<boolean> {
    for (const part of this.conflicts) this.#drop(part);
    this.#onChange();
    return this.retry();
  }

  /** What is called from now on when the service has answered. */
  whenAnswered(answered: (saved: Saved) => void): void {
    this.#answered = answered;
  }

  /** What the drafts are for. If that is another one than before, what is stored has been sent, and is forgotten; what is stored nowhere stays. */
  about(subject: string | undefined): void {
    if (subject === this.#subject) return;
    this.#subject = subject;
    for (const [part, { unsaved }] of this.#slots) if (!unsaved) this.#drop(part);
  }

  /** Forgets everything, because it has been sent. */
  forget(): void {
    for (const part of this.#slots.keys()) this.#drop(part);
    this.#refusal = null;
    this.#onChange();
  }

  /** Saves nothing until something is changed again. */
  hold(): void {
    for (const { timer } of this.#slots.values()) clearTimeout(timer);
  }

  #drop(part: Part): void {
    clearTimeout(this.#slots.get(part)?.timer);
    this.#slots.delete(part);
  }

  async #store(part: Part): Promise<void> {
    const slot = this.#slots.get(part);
    if (!slot) return;
    clearTimeout(slot.timer);
    while (slot.running) await slot.running;
    if (!slot.unsaved || this.#refusal !== null || this.#slots.get(part) !== slot) return;
    slot.running = this.#send(part, slot).finally(() => {
      slot.running = null;
    });
    await slot.running;
    this.#onChange();
  }

  async #send(part: Part, slot: Slot<Draft>): Promise<void> {
    const { draft, version } = slot;
    const saved = await this.#save(part, draft, version);
    this.#answered(saved);
    // It may have been dropped in the meantime.
    if (this.#slots.get(part) !== slot) return;
    if ('refusal' in saved) {
      this.#refusal = saved.refusal;
      slot.refused = saved.refusal.conflict;
      return;
    }
    slot.version = saved.version;
    slot.unsaved = slot.draft !== draft;
  }
}
