import { Fragment } from 'react';

/** A URL or an email address, which breaks after a dot, a slash or an at sign, where it has to. */
export function Address({ value }: { value: string }) {
  return value.split(/(?<=[./@])(?=[^./@])/).map((part, at) => (
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
