import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { operationWords } from '../../../features/integration/operationPaths.ts';
import { InlineMarkdown } from '../../../features/markdown/Markdown.tsx';
import { paths } from '../../../paths.ts';
import { SidePanel } from '../../../ui/layout/SidePanel.tsx';
import type { Opened } from '../../../ui/lists/useOpened.ts';
import { momentWords } from '../../../ui/time/momentWords.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { durationWords } from '../../../ui/time/timeWords.ts';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { AnswerWords } from './AnswerWords.tsx';
import { type LoggedRequest, requestQuery } from './usageQueries.ts';

type RequestPanelProps = {
  client: { readonly id: string };
  opened: Opened;
  /** The list that it is opened beside. */
  requests: readonly LoggedRequest[];
  /** Where the certificates are shown. */
  certificatesPath: string;
  /** The address of the log with the requests like this one. */
  toAlike: (request: LoggedRequest) => string;
};

/** What the request was that is open, why it was answered as it was, and what to do. */
export function RequestPanel({ client, opened, requests, certificatesPath, toAlike }: RequestPanelProps) {
  const { id: requestId } = opened;
  const place = requests.findIndex(({ id }) => id === requestId);
  const listed = requests[place];
  const [{ data, fetching }] = useQuery({
    query: requestQuery,
    variables: { clientId: client.id, requestId },
    pause: listed !== undefined || !isRequestId(requestId),
  });
  const found = data?.requests.edges[0]?.node;
  const request = listed ?? (found?.id === requestId ? found : null);
  const wayTo = (other: LoggedRequest | undefined) => (place === -1 || !other ? null : () => opened.change(other.id));
  return (
    <SidePanel
      title={request ? `${request.method} ${operationWords(request.operation)}` : 'Request'}
      about="request"
      onClose={() => opened.change('')}
      onPrevious={wayTo(requests[place - 1])}
      onNext={wayTo(requests[place + 1])}
    >
      {request ? (
        <Stack gap="sm">
          <AnswerWords status={request.status} title={request.title} />
          <Cure request={request} />
          <Facts facts={factsOf(request, certificatesPath)} />
          {request.problem && (
            <Anchor component={Link} to={toAlike(request)} size="sm">
              All with this problem, operation and certificate
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            Path, query, body and address are never stored.
          </Text>
        </Stack>
      ) : (
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {fetching ? 'Looking for it…' : notFoundWords(requestId)}
        </Text>
      )}
    </SidePanel>
  );
}

/** Whether the text is a complete request ID, as the X-Request-Id header has it. */
function isRequestId(text: string): boolean {
  return /^req_[0-9a-z]{26}$/.test(text);
}

function notFoundWords(requestId: string): string {
  if (!isRequestId(requestId)) return 'A request ID is req_ followed by 26 characters.';
  return `This client has no request with the ID ${requestId}. Requests are kept for 7 days, and those without one of our certificates are not logged. It may have been made in the other environment.`;
}

function Cure({ request: { reason, advice } }: { request: LoggedRequest }) {
  return (
    <>
      {reason && <Text size="sm">{reason}</Text>}
      {advice && (
        <Text size="sm" c={reason ? 'dimmed' : undefined} component="div">
          <InlineMarkdown source={advice} />
        </Text>
      )}
    </>
  );
}

function factsOf(request: LoggedRequest, certificatesPath: string): [string, ReactNode][] {
  const { id, occurredAt, problem, certificateId, serial, durationMs } = request;
  const facts: [string, ReactNode][] = [
    ['Time', <Time key="time" value={occurredAt} form="exact" />],
    ['UTC', momentWords('utc').moment(new Date(occurredAt))],
    ['Duration', durationWords(durationMs)],
    ['Request ID', <Identifier key="id" value={id} label="the request ID" />],
  ];
  if (problem) {
    facts.push([
      'Problem',
      <span key="problem">
        <code>{problem}</code>,{' '}
        <Anchor component={Link} to={paths.problem(problem)}>
          about this problem
        </Anchor>
      </span>,
    ]);
  }
  facts.push([
    'Certificate',
    certificateId === null ? (
      'Not on record'
    ) : (
      <Anchor key="certificate" component={Link} to={certificatesPath} inherit>
        <Identifier value={certificateId} copy={false} />
      </Anchor>
    ),
  ]);
  if (serial) facts.push(['Serial', <Identifier key="serial" value={serial} label="the serial" />]);
  return facts;
}
