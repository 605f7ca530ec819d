import { Notice } from '../../ui/states/Notice.tsx';
import { counted } from '../../ui/text/counted.ts';
import { relativeWords } from '../../ui/time/timeWords.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { certificateWarning } from './certificateEnd.ts';
import type { Certificate, RefusedCalls } from './certificatesQuery.ts';

/** What the owner has to do about the certificates, and the calls that are refused because of one that is not among those in use. */
export function CertificateWarnings({ inUse, refused }: { inUse: readonly Certificate[]; refused: readonly RefusedCalls[] }) {
  const now = useNow();
  const warning = certificateWarning(inUse, now);
  const unknown = refused.filter(({ problem, open }) => open && problem?.startsWith('client_certificate_'));
  return (
    <>
      {warning && <Notice {...warning} />}
      {unknown.map(({ id, problem, serial, count, lastAt }) => (
        <Notice
          key={id}
          title={`${counted(count, 'call')} refused with 401 ${problem}`}
          words={`The last one was ${relativeWords(new Date(lastAt), now)}${serial ? `, with serial ${serial}` : ''}. Install a certificate that is in use on every machine that calls the API.`}
        />
      ))}
    </>
  );
}
