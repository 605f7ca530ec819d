import { useIntegration } from '../integration/useIntegration.ts';
import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ResultOf } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import { WithCode } from '../../ui/text/WithCode.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { durationWords } from '../../ui/time/timeWords.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { CommandChoice, useTool } from '../integration/CommandChoice.tsx';
import { firstCallCommands, syncAgainWithCurl } from '../integration/firstCallCommands.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { kitVersion } from '../integration/kitVersion.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import type { Service } from '../integration/useIntegration.ts';
import classes from './FirstCall.module.css';
import { Pieces } from '../reference/Pieces.tsx';
import { sampleRecord } from '../reference/sampleRecord.ts';
import { firstRecordQuery, lastCallQuery } from './firstCallQueries.ts';
import { recordLines } from './recordLines.ts';
import { hasReadAll, recordsWords } from './recordsWords.ts';

type FirstCallProps = {
  client: Pick<Client, 'id' | 'environment' | 'scopes'>;
  service: Pick<Service, 'portalUrl' | 'machineApiUrl' | 'developmentCa'>;
  /** The name of the certificate's files. */
  keyName: string;
  /** The certificate whose calls are waited for; without it, the client's. */
  serial?: string | null;
  /** Whether nothing has been called with another certificate before: the page then shows the first record, and what comes next. */
  first?: boolean;
  /** Whether the first call was made before the page was opened: what came of it then stands there again, and the commands fold. */
  again?: boolean;
  /** Called once the first call has been answered. */
  onAnswered?: () => void;
  /** Other commands than those for key and certificate as files. */
  children?: ReactNode;
};

/**
 * The commands for the first calls, and below them what has become of them, from the moment at which the request log has it. In the place of the
 * first record stands an example as long, so that nothing moves.
 */
export function FirstCall({ client, service, keyName, serial = null, first = true, again = false, onAnswered, children }: FirstCallProps) {
  const to = useIntegrationPaths();
  const { slug } = useIntegration().integration;
  const [tool] = useTool();
  const syncs = isSyncing(client);
  const [settled, setSettled] = useState(!syncs);
  const [{ data }] = usePolledQuery({
    query: lastCallQuery,
    variables: { clientId: client.id, serial },
    whileTrue: (read) => !isAnswered(read) || !settled,
    every: (read) => (isAnswered(read) ? 5000 : 2000),
    context: fresh,
  });
  const call = data?.requests.edges[0]?.node;
  const answered = data !== undefined && isAnswered(data);
  const [{ data: sync }] = usePolledQuery({
    query: firstRecordQuery,
    variables: { clientId: client.id },
    pause: !answered || !syncs,
    // What a sync has brought is on record a second or two after its answer; test data may take a minute.
    whileTrue: ({ sandboxNextSync: { fromBeginning, total } }) =>
      fromBeginning ? total === 0 || (data?.syncs.edges.length ?? 0) > 0 : total > 0,
    every: ({ sandboxNextSync: { fromBeginning } }) => (fromBeginning ? 1500 : 5000),
    context: fresh,
  });
  if (!settled && sync && hasReadAll(sync)) setSettled(true);
  useOnce(answered, onAnswered);
  const answer = useShownOnArrival(data === undefined ? null : stateOf(call));
  const record = sync?.sandboxNextSync.firstRecord ?? null;
  const commands = children ?? (
    <CommandChoice
      commands={firstCallCommands({ ...service, slug, keyName, kitVersion, environment: client.environment }, syncs)}
      label="the commands for the first calls"
    />
  );
  return (
    <Stack gap="xs" w="100%">
      {again ? <Fold summary="The commands, to run them again">{commands}</Fold> : commands}
      {/* The kit follows its cursor by itself. */}
      {tool === 'curl' && syncs && !children && (
        <Fold summary="Sync again" lazily>
          <CopyableCode value={syncAgainWithCurl({ ...service, keyName })} label="the command to sync again" block />
        </Fold>
      )}
      <div className={classes.answer} ref={answer}>
        <Line {...{ call, again }} read={data !== undefined} more={sync ? recordsWords(sync) : null} />
        {first && syncs && (
          <>
            <figure className={classes.record} aria-label="The first record of /v1/sync" data-example={record === null || undefined}>
              <figcaption className={classes.caption}>
                {record === null ? 'An example; the first record of your sync appears here' : 'The first record of your sync'}
              </figcaption>
              {recordLines(record === null ? sampleRecord : (JSON.parse(record) as typeof sampleRecord)).map(({ key, pieces }) => (
                <code key={key}>
                  <Pieces pieces={pieces} />
                </code>
              ))}
            </figure>
            <div className={classes.next}>
              {record !== null && (
                <Button component={Link} to={to.sandbox()}>
                  Next: share {client.scopes.includes('orders.read') ? 'an order' : 'a stock vehicle'}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </Stack>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

type Call = ResultOf<typeof lastCallQuery>['requests']['edges'][number]['node'];

/** A sandbox that shares orders or stock vehicles answers a sync. In production the gate decides. */
function isSyncing({ environment, scopes }: Pick<Client, 'environment' | 'scopes'>): boolean {
  return environment === 'sandbox' && scopes.some((scope) => scope === 'orders.read' || scope === 'vehicles.read');
}

function isAnswered({ requests }: ResultOf<typeof lastCallQuery>): boolean {
  return (requests.edges[0]?.node.status ?? 999) < 400;
}

function useOnce(happened: boolean, act: (() => void) | undefined): void {
  const told = useRef(false);
  useEffect(() => {
    if (!happened || told.current) return;
    told.current = true;
    act?.();
  }, [happened, act]);
}

type State = 'waiting' | 'refused' | 'answered';

function stateOf(call: Call | undefined): State {
  if (!call) return 'waiting';
  return call.status >= 400 ? 'refused' : 'answered';
}

/**
 * Brings what the reader has waited for into their sight, where it is not. A reader who is writing meanwhile keeps their field in sight instead. `state`
 * is null until it is known.
 */
function useShownOnArrival(state: State | null): RefObject<HTMLDivElement | null> {
  const answer = useRef<HTMLDivElement>(null);
  const last = useRef(state);
  useEffect(() => {
    const before = last.current;
    last.current = state;
    const arrived = before !== null && before !== 'answered' && state !== before;
    if (!arrived || !answer.current || document.activeElement?.matches(written)) return;
    const top = answer.current.getBoundingClientRect().top;
    if (top >= 0 && top + seenAtOnce <= window.innerHeight) return;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    answer.current.scrollIntoView({ block: 'nearest', behavior: still ? 'instant' : 'smooth' });
  }, [state]);
  return answer;
}

const written = 'textarea, input:not([type="radio"], [type="checkbox"]), [contenteditable]';
/** The line and more than half of the record, in pixels. */
const seenAtOnce = 220;

const icons = { waiting: IconLoader2, refused: IconAlertTriangle, answered: IconCircleCheck } as const;

type LineProps = {
  call: Call | undefined;
  /** Whether it is known if there was a call. */
  read: boolean;
  /** Whether the call may be from before the page was opened. */
  again: boolean;
  /** What follows from the call. */
  more: string | null;
};

/** What the last call brought, in one line; of a refusal, also what to do. */
function Line({ call, read, again, more }: LineProps) {
  const state = stateOf(call);
  const refused = state === 'refused';
  const Icon = icons[state];
  return (
    <div role="status" aria-live="polite" className={classes.line} data-state={state}>
      <Icon size={18} aria-hidden />
      <Text size="sm">
        {!call ? (
          again && !read ? (
            'Looking up your last call…'
          ) : (
            'Waiting for your first call…'
          )
        ) : (
          <>
            <strong>
              {call.status} in {durationWords(call.durationMs)}
              {again && (
                <>
                  , <Time value={call.occurredAt} />
                </>
              )}
              {refused && `: ${call.title}.`}
            </strong>
            {refused ? (
              <>
                {' '}
                <WithCode text={[call.reason, call.advice].filter(Boolean).join(' ')} /> Waiting for the next call…
              </>
            ) : (
              more && (
                <>
                  : <WithCode text={more} />
                </>
              )
            )}
          </>
        )}
      </Text>
    </div>
  );
}
