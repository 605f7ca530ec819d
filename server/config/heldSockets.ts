/** The first socket that systemd hands over; those before are standard input, output and errors. */
const firstHeld = 3;

/**
 * The sockets that systemd (or another parent that does as it does, sd_listen_fds(3)) holds open for this process, by the names of their units. They
 * go on listening while the process restarts, so that a caller who connects meanwhile waits a moment and is not refused.
 */
export function heldSockets(
  { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' }: Readonly<Record<string, string | undefined>>,
  pid: number = process.pid,
): Readonly<Partial<Record<string, number>>> {
  // They may be meant for a parent, and have been passed on by mistake.
  if (Number(LISTEN_PID) !== pid) return {};
  const names = LISTEN_FDNAMES.split(':').slice(0, Number(LISTEN_FDS));
  return Object.fromEntries(names.map((name, place) => [name, firstHeld + place]));
}
