import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { reasonField } from '../administration/reasonField.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { AgreementTable } from './AgreementTable.tsx';
import { type Agreement, type BusinessModel, withdrawCommercialAgreementMutation } from './businessModelQuery.ts';
import { ReportTable } from './ReportTable.tsx';

type AgreementPanelProps = { name: string; businessModel: BusinessModel; own: boolean; onChanged: () => void };

/** The business model as administrators see it: what the owner has reported, and the agreements, which are withdrawn here. */
export function AgreementPanel({
  name,
  businessModel: { businessModelReports, commercialAgreements },
  own,
  onChanged,
}: AgreementPanelProps) {
  const [, withdrawCommercialAgreement] = useMutation(withdrawCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const [withdrawn, setWithdrawn] = useState<Agreement | null>(null);

  async function withdraw(agreementId: string, reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawCommercialAgreement({ input: { agreementId, reason } }));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel title="Business model">
      {businessModelReports.length === 0 && commercialAgreements.length === 0 ? (
        <Text size="sm" c="dimmed">
          No changes have been reported, and there is no agreement, so the standard non-commercial licence applies.
        </Text>
      ) : (
        <Stack gap="sm">
          <ReportTable reports={businessModelReports} />
          <AgreementTable agreements={commercialAgreements} {...(!own && { onWithdraw: setWithdrawn })} />
        </Stack>
      )}
      {withdrawn && (
        <ConsequenceDialog
          title="Withdraw this agreement?"
          object={`${withdrawn.reference}, for ${name}`}
          changes={['The standard non-commercial licence applies from now on.']}
          unchanged={['The record remains visible, marked as withdrawn.', 'The status, the production gate and the quotas.']}
          reason={reasonField}
          verb="Withdraw agreement"
          tone="danger"
          onConfirm={(reason) => withdraw(withdrawn.id, reason)}
          onClose={() => setWithdrawn(null)}
        />
      )}
    </Panel>
  );
}
