/** The meaning of a status, which determines its colour and icon. What is `on` is in force, which says nothing about how well it works. */
export type StatusTone = 'good' | 'on' | 'waiting' | 'working' | 'bad' | 'stopped' | 'neutral';

/** How pages show a status. */
export type StatusWord = { readonly tone: StatusTone; readonly word: string };
