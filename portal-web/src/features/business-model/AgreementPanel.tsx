import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ReasonDialog } from '../administration/ReasonDialog.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { AgreementForm } from './AgreementForm.tsx';
import { AgreementTable } from './AgreementTable.tsx';
import { type Agreement, anyBusinessModelQuery, withdrawCommercialAgreementMutation } from './businessModelQuery.ts';
import { ReportTable } from './ReportTable.tsx';

type AgreementPanelProps = { slug: string; retired: boolean; own: boolean };

/** The business model as administrators see it: what the owner has reported, and the agreements, which are recorded and withdrawn here. */
export function AgreementPanel({ slug, retired, own }: AgreementPanelProps) {
  const [result, read] = useQuery({ query: anyBusinessModelQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const [, withdrawCommercialAgreement] = useMutation(withdrawCommercialAgreementMutation);
  const confirmed = useFreshPasskey();
  const [withdrawn, setWithdrawn] = useState<Agreement | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  async function withdraw(agreementId: string, reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawCommercialAgreement({ input: { agreementId, reason } }));
    if (!error) reread();
    return error?.message ?? null;
  }

  return (
    <Panel
      title="Business model"
      lead="The owner, reviewers and administrators can see all of this. Neither a report nor an agreement changes the integration’s status."
    >
      <Loaded result={result} onRetry={reread}>
        {({ anyIntegration: { integration } }) => (
          <Stack gap="lg">
            <div>
              <Title order={3} mb="xs">
                Reported by the owner
              </Title>
              <ReportTable reports={integration.businessModelReports} />
            </div>
            <div>
              <Title order={3} mb="xs">
                Agreements
              </Title>
              <AgreementTable agreements={integration.commercialAgreements} {...(!own && { onWithdraw: setWithdrawn })} />
            </div>
            {!retired && !own && <AgreementForm integrationId={integration.id} onRecorded={reread} />}
          </Stack>
        )}
      </Loaded>
      {withdrawn && (
        <ReasonDialog
          title="Withdraw this agreement?"
          confirm="Withdraw agreement"
          danger
          onConfirm={(reason) => withdraw(withdrawn.id, reason)}
          onClose={() => setWithdrawn(null)}
        >
          <Text>
            {withdrawn.reference}: the record remains visible, marked as withdrawn. From then on the standard non-commercial licence
            applies. Access does not change by itself.
          </Text>
        </ReasonDialog>
      )}
    </Panel>
  );
}
