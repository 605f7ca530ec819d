/**
 * The meaning of a status, which determines its colour and icon. What is `on` is in force, which says nothing about how well it works. What is
 * `underWay` takes its course, and nothing is wrong; what is `waiting` waits for the reader.
 */
export type StatusTone = 'good' | 'on' | 'underWay' | 'waiting' | 'working' | 'bad' | 'stopped' | 'neutral';

/** How pages show a status. */
export type StatusWord = { readonly tone: StatusTone; readonly word: string };
