import { Fragment } from 'react';

/** A URL or an email address, which breaks after a dot, a slash, an at sign or an underscore, where it has to. */
export function Address({ value }: { value: string }) {
  return value.split(/(?<=[./@_])(?=[^./@_])/).map((part, at) => (
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
