/** The meaning of a status, which determines its colour and icon. */
export type StatusTone = 'good' | 'waiting' | 'working' | 'bad' | 'stopped' | 'neutral' | 'role';
