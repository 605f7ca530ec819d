import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { cursorName } from './listAddress.ts';

/** The entry that is open beside a list. It stands in the address, so that it can be sent. */
export type Opened = {
  /** Its identifier; '' if none is open. */
  readonly id: string;
  /** The address that opens another one. */
  readonly to: (id: string) => string;
  /** The address of the list with these filters, with nothing open. */
  readonly without: (filters: Readonly<Record<string, string>>) => string;
  /** Opens another one in place of this one, or with '' none. */
  readonly change: (id: string) => void;
};

/** What is open beside a list. `name` is its name in the address, as in "request". */
export function useOpened(name: string): Opened {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const id = new URLSearchParams(search).get(name) ?? '';
  const list = addressWith(search, { [name]: '' });
  // The same function whatever is open, so that a table need not render its rows again.
  // A list has many rows, and only its name differs in their addresses.
  const to = useCallback(
    (other: string) => (other === '' ? list : `${list}${list === '?' ? '' : '&'}${new URLSearchParams({ [name]: other }).toString()}`),
    [list, name],
  );
  return {
    id,
    to,
    without: (filters) => addressWith(search, { ...filters, [name]: '', [cursorName('')]: '' }),
    change: (other) => void navigate(to(other), { replace: true, preventScrollReset: true, state }),
  };
}

function addressWith(search: string, changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    if (value !== '') next.set(name, value);
  }
  return `?${next.toString()}`;
}
