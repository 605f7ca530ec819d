import { useLocation, useNavigate } from 'react-router';
import { cursorName } from '../../ui/lists/listAddress.ts';

/** The request that is open beside the log. It stands in the address, so that it can be sent. */
export type OpenedRequest = {
  /** Its identifier; '' if none is open. */
  readonly id: string;
  /** The address that opens another one. */
  readonly to: (id: string) => string;
  /** The address of the log with these filters, with nothing open. */
  readonly without: (filters: Readonly<Record<string, string>>) => string;
  /** Opens another one in place of this one, or with '' none. */
  readonly change: (id: string) => void;
};

export function useOpenedRequest(): OpenedRequest {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const id = new URLSearchParams(search).get('request') ?? '';
  const to = (other: string) => addressWith(search, { request: other });
  return {
    id,
    to,
    without: (filters) => addressWith(search, { ...filters, request: '', [cursorName('')]: '' }),
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
