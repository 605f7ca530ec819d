import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog, type Refused } from '../../ui/forms/ConsequenceDialog.tsx';
import { LongText } from '../../ui/forms/LongText.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { recordCommercialAgreementMutation } from './businessModelQuery.ts';

const empty = { reference: '', summary: '', validFrom: '', validUntil: '' };

type AgreementDialogProps = { integrationId: string; name: string; onRecorded: () => void; onClose: () => void };

/** Records a written agreement for an integration. */
export function AgreementDialog({ integrationId, name: integration, onRecorded, onClose }: AgreementDialogProps) {
  const [, recordCommercialAgreement] = useMutation(recordCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const [values, setValues] = useState(empty);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const set = (name: keyof typeof empty) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  const field = (name: keyof typeof empty) => ({ value: values[name], error: fields[name], onChange: set(name) });

  async function record(): Promise<Refused | null> {
    const input = { ...values, integrationId, validUntil: values.validUntil || null };
    const { error } = await confirmed(() => recordCommercialAgreement({ input }));
    setFields(error?.fields ?? {});
    if (!error) {
      onRecorded();
      return null;
    }
    return Object.keys(error.fields).length === 0 ? error.message : { reason: '' };
  }

  return (
    <ConsequenceDialog
      title={`Record an agreement for ${integration}?`}
      object="A written agreement that allows more than the standard non-commercial licence."
      changes={['The owner, reviewers and administrators can read it.', 'It cannot be changed later, only withdrawn.']}
      unchanged={['The status, the production gate and the quotas.']}
      verb="Record agreement"
      onConfirm={record}
      onClose={onClose}
    >
      <ShortText label="Reference" description="Where the written agreement is filed." longest={120} {...field('reference')} />
      <LongText
        label="Summary"
        description="What it allows. The owner reads it."
        longest={2_000}
        minRows={2}
        maxRows={10}
        {...field('summary')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput type="date" label="First day" description="Starts at 00:00 UTC." {...field('validFrom')} />
        <TextInput type="date" label="Last day" description="Leave empty for no end date." {...field('validUntil')} />
      </SimpleGrid>
    </ConsequenceDialog>
  );
}
