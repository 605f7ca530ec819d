import { Button, Stack, Text, Title } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation, useQuery } from 'urql';
import { describeError, type DescribedError } from '../../graphql/describeError.ts';
import { ContactLink } from '../../ui/values/ContactLink.tsx';
import { LongText } from '../../ui/forms/LongText.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useReadOnly } from '../integration/ownerView.ts';
import type { Service } from '../integration/useIntegration.ts';
import { AgreementTable } from './AgreementTable.tsx';
import { businessModelQuery, reportBusinessModelChangeMutation } from './businessModelQuery.ts';
import { ReportTable } from './ReportTable.tsx';

type BusinessModelPanelProps = { slug: string; retired: boolean; contact: Service['supportContact'] };

/** The business model as the owner sees it: the agreements, the reported changes, and a form for reporting a change before it happens. */
export function BusinessModelPanel({ slug, retired, contact }: BusinessModelPanelProps) {
  const [result, read] = useQuery({ query: businessModelQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  const reports = !useReadOnly() && !retired;
  return (
    <Panel
      title="Business model"
      lead="The standard licence is non-commercial only. Advertising, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing and resale require a written agreement with the service, whatever else has been approved."
    >
      <Loaded result={result} onRetry={reread}>
        {({ integration: { id, businessModelReports, commercialAgreements } }) => (
          <Stack gap="lg">
            {reports && (
              <Text>
                Report a change below before you make it. For a written agreement, contact <ContactLink contact={contact} />.
              </Text>
            )}
            <div>
              <Title order={3} mb="xs">
                Agreements
              </Title>
              <AgreementTable agreements={commercialAgreements} />
            </div>
            <div>
              <Title order={3} mb="xs">
                Reported changes
              </Title>
              <ReportTable reports={businessModelReports} />
            </div>
            {reports && <ReportForm integrationId={id} onReported={reread} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function ReportForm({ integrationId, onReported }: { integrationId: string; onReported: () => void }) {
  const [{ fetching }, reportBusinessModelChange] = useMutation(reportBusinessModelChangeMutation);
  const [description, setDescription] = useState('');
  const [refusal, setRefusal] = useState<DescribedError | null>(null);
  const [reported, setReported] = useState(false);

  async function report(event: SubmitEvent) {
    event.preventDefault();
    setRefusal(null);
    setReported(false);
    const { error } = await reportBusinessModelChange({ input: { integrationId, description } });
    if (error) return setRefusal(describeError(error));
    setDescription('');
    setReported(true);
    onReported();
  }

  return (
    <form onSubmit={(event) => void report(event)} noValidate>
      <Stack gap="sm">
        {refusal && !refusal.fields['description'] && <ErrorMessage message={refusal.message} />}
        <LongText
          label="What will change?"
          description="Describe the change, when it takes effect, and who pays whom for what. Reviewers and administrators will read this, and you cannot edit it later. A report is not a permission."
          value={description}
          longest={2_000}
          minRows={3}
          maxRows={12}
          error={refusal?.fields['description']}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={fetching}>
            Report change
          </Button>
        </div>
        <Text size="sm" role="status">
          {reported && 'Reported. Wait for a written agreement before you make the change.'}
        </Text>
      </Stack>
    </form>
  );
}
