import { Anchor } from '@mantine/core';

/** A link to the service's staff. A long address breaks where it must. */
export function ContactLink({ contact }: { contact: { readonly url: string; readonly text: string } }) {
  return (
    <Anchor href={contact.url} inherit style={{ overflowWrap: 'anywhere' }}>
      {contact.text}
    </Anchor>
  );
}
