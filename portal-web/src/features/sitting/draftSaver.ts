/** What a reviewer thinks of an item so far, or has written so far. */
export type Draft = { readonly met: boolean | null; readonly note: string };

/** The version that is now stored, or why nothing was stored. */
export type Saved = { readonly version: number } | { readonly refusal: string };

type Slot = {
  draft: Draft;
  version: number;
  unsaved: boolean;
  running: Promise<void> | null;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/** How long nothing is typed before it is saved, in milliseconds. */
const pause = 600;

/**
 * Saves drafts as they are made, each part in its order, so that no older text arrives after a newer one. What is refused stays here and is
 * tried again only when the reader asks.
 */
export class DraftSaver<Part extends string> {
  readonly #slots = new Map<Part, Slot>();
  readonly #save: (part: Part, draft: Draft, version: number) => Promise<Saved>;
  readonly #onChange: () => void;
  #refusal: string | null = null;

  constructor(save: (part: Part, draft: Draft, version: number) => Promise<Saved>, onChange: () => void) {
    this.#save = save;
    this.#onChange = onChange;
  }

  /** Why the last attempt to save was refused; null if nothing stands in the way. */
  get refusal(): string | null {
    return this.#refusal;
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

  /** Remembers a draft and saves it: a text when the reader pauses, anything else at once. `version` is the one that the page was given. */
  set(part: Part, draft: Draft, version: number, atOnce: boolean): void {
    const slot = this.#slots.get(part) ?? { draft, version, unsaved: true, running: null, timer: undefined };
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

  /** After a refusal: saves all the same, over whatever is stored by now. `versions` are the ones that the service has. */
  async saveOver(versions: (part: Part) => number): Promise<boolean> {
    this.#refusal = null;
    for (const [part, slot] of this.#slots) slot.version = Math.max(slot.version, versions(part));
    return this.flush();
  }

  async #store(part: Part): Promise<void> {
    const slot = this.#slots.get(part);
    if (!slot) return;
    clearTimeout(slot.timer);
    while (slot.running) await slot.running;
    if (!slot.unsaved || this.#refusal !== null) return;
    slot.running = this.#send(part, slot).finally(() => {
      slot.running = null;
    });
    await slot.running;
    this.#onChange();
  }

  async #send(part: Part, slot: Slot): Promise<void> {
    const { draft, version } = slot;
    const saved = await this.#save(part, draft, version);
    if ('refusal' in saved) {
      this.#refusal = saved.refusal;
      return;
    }
    slot.version = saved.version;
    slot.unsaved = slot.draft !== draft;
  }
}
