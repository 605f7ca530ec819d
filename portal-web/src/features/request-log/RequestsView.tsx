import { useState, type ReactNode } from 'react';
import { NoRequests } from './NoRequests.tsx';
import { RequestFilterBar } from './RequestFilterBar.tsx';
import { RequestLog } from './RequestLog.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import classes from './RequestsView.module.css';
import { RequestsTop } from '../usage/RequestsTop.tsx';
import { RequestTable } from './RequestTable.tsx';
import { UsageFigures } from '../usage/UsageFigures.tsx';
import { useOpened } from '../../ui/lists/useOpened.ts';
import { WaitingForCall } from './WaitingForCall.tsx';
import { useRequestFilters } from './useRequestFilters.ts';
import { isNarrowed, noFilters } from './requestFilters.ts';
import type { ClientFacts, LoggedRequest } from '../usage/usageQueries.ts';

type RequestsViewProps = {
  client: { readonly id: string };
  slug: string;
  /** Why every call of the client is refused; null where calls are answered. */
  refusedBecause: string | null;
  /** Whether a first call can come now, so that the empty log says that it waits for one. */
  callable: boolean;
  /** Where a request’s certificate is shown. */
  certificatesPath: string;
  /** Shown if there are no requests at all. */
  none: ReactNode;
};

/** What is refused now and why, the log with its filters, and one request beside it. */
export function RequestsView({ client, slug, refusedBecause, callable, certificatesPath, none }: RequestsViewProps) {
  const [filters, change] = useRequestFilters();
  const [live, setLive] = useState(true);
  const [facts, setFacts] = useState<ClientFacts | null>(null);
  const opened = useOpened('request');
  const toAlike = ({ problem, status, operation, serial }: Pick<LoggedRequest, 'problem' | 'status' | 'operation' | 'serial'>) =>
    opened.without({ answer: problem ? '' : String(status), problem: problem ?? '', operation, serial: serial ?? '', from: '', to: '' });
  return (
    <div className={classes.page}>
      <RequestsTop facts={facts} refusedBecause={refusedBecause} toRequests={toAlike} />
      <RequestFilterBar filters={filters} onChange={change} live={live} onLive={setLive} />
      <RequestLog
        key={JSON.stringify(filters)}
        slug={slug}
        clientId={client.id}
        filters={filters}
        live={live}
        reading={opened.id !== ''}
        onFacts={setFacts}
        none={
          isNarrowed(filters) ? (
            <NoRequests onClear={() => change(noFilters)} />
          ) : (
            <>
              {none}
              {live && callable && <WaitingForCall />}
            </>
          )
        }
        renderPanel={(requests) => opened.id !== '' && <RequestPanel {...{ client, opened, requests, certificatesPath, toAlike }} />}
      >
        {(requests) => <RequestTable requests={requests} toPanel={opened.to} opened={opened.id} />}
      </RequestLog>
      <UsageFigures clientId={client.id} />
    </div>
  );
}
