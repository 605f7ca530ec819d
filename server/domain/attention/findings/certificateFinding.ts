import { factsOf, isInUse, isOver, isStopped } from '../../integration/integrationStatus.ts';
import type { CertificateFacts, ClientFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import { isSettingUp } from '../facts/settingUp.ts';
import { agoWords, roughSpanWords } from '../../shared/text/spanWords.ts';
import { need } from './need.ts';
import { certificateFacts, timeToInstall } from '../../certificate/certificateFacts.ts';
import { certificateLimits } from '../../certificate/certificateLimits.ts';
import { factsIn } from '../../shared/lifecycle.ts';

const signal = 'certificate';
const page = 'certificates';

type Ends = CertificateFacts & { readonly usableUntil: Date };
/** Most clients of somebody with many integrations have none, and no list is made of those. */
const none: readonly Ends[] = [];
const noneYet = quiet('None yet');
const isIssued = (each: CertificateFacts): each is Ends =>
  factsIn(certificateFacts, each.status).stage === 'working' && each.usableUntil !== null;

/**
 * Whether the client has a certificate to call with, until when, and whether the next one is in use before the present one ends. An expired
 * certificate of a sandbox stops nobody’s data, so it is not failing.
 */
export function certificateFinding(facts: IntegrationFacts, client: ClientFacts): Finding {
  const { asOf, status } = facts;
  const { environment, certificates } = client;
  const issued = certificates.length === 0 ? none : certificates.filter(isIssued);
  const usable = issued.length === 0 ? none : issued.filter(({ usableUntil }) => usableUntil > asOf);
  if (usable.length > 0) return usableFinding(facts, client, usable);
  if (certificates.some((each) => factsIn(certificateFacts, each.status).stage === 'pending')) return quiet('Being issued');
  const last = issued.length === 0 ? undefined : issued.toSorted((a, b) => b.usableUntil.getTime() - a.usableUntil.getTime())[0];
  const phase = factsOf(status, environment);
  // What is not given out is not missing.
  if (phase.calls === 'yes' && phase.certificates !== 'yes') return quiet(last ? 'Expired' : 'None');
  if (isSettingUp(facts, client)) {
    const word = last ? 'Expired' : 'None yet';
    if (phase.calls === 'yes') return missing(facts, word);
    return last ? quiet(word) : noneYet;
  }
  if (last) {
    const figure = agoWords(last.usableUntil, asOf);
    const level = environment === 'production' ? 'failing' : 'attention';
    const needs =
      environment === 'sandbox' || isInUse(phase)
        ? [need(facts, 'certificateGone', level, { environment }, { since: last.usableUntil })]
        : [];
    return { signal, level, word: 'Expired', figure, page, needs };
  }
  if (environment === 'production' && phase.calls === 'yes') {
    const needs = [need(facts, 'certificateMissing', 'failing', { environment, settingUp: false })];
    return { signal, level: 'failing', word: 'None', figure: null, page, needs };
  }
  return isOver(status) ? quiet('None') : noneYet;
}

/** When each certificate that works ends, the first one first; where none does, when the last one ended. */
export function certificateEnds({ certificates }: ClientFacts, asOf: Date): Date[] {
  const ends = certificates
    .flatMap(({ status, usableUntil }) => (usableUntil && factsIn(certificateFacts, status).stage === 'working' ? [usableUntil] : []))
    .toSorted((a, b) => a.getTime() - b.getTime());
  const ahead = ends.filter((end) => end > asOf);
  return ahead.length > 0 ? ahead : ends.slice(-1);
}

/** Of a production that has never worked: the next step of the way to it. */
function missing(facts: IntegrationFacts, word: string): Finding {
  const level = 'settingUp';
  const needs = [need(facts, 'certificateMissing', level, { environment: 'production', settingUp: true })];
  return { signal, level, word, figure: null, page, needs };
}

function usableFinding(facts: IntegrationFacts, { environment }: ClientFacts, usable: readonly Ends[]): Finding {
  const { asOf, status } = facts;
  const byEnd = usable.toSorted((a, b) => a.usableUntil.getTime() - b.usableUntil.getTime());
  const [first, last] = [byEnd[0], byEnd.at(-1)];
  if (!first || !last) throw new Error('There is no usable certificate.');
  const left = (end: Date) => end.getTime() - asOf.getTime();
  const soon = certificateLimits.certificateNotice;
  // Where every call is refused, how it stands is neither good nor bad.
  const stopped = isStopped(status, environment);
  const awaited = last.lastUsedAt === null && asOf.getTime() - (last.issuedAt?.getTime() ?? 0) >= timeToInstall;
  if (first !== last && awaited && first.lastUsedAt !== null && left(first.usableUntil) <= soon) {
    const needs = [need(facts, 'successorUnused', 'attention', { environment }, { since: last.issuedAt, deadline: first.usableUntil })];
    const figure = `the old one ends in ${roughSpanWords(left(first.usableUntil))}`;
    return { signal, level: stopped ? 'quiet' : 'attention', word: 'New certificate not used yet', figure, page, needs };
  }
  const figure = `${roughSpanWords(left(last.usableUntil))} left`;
  const deadline = last.usableUntil;
  if (left(last.usableUntil) <= soon) {
    const needs = [
      need(facts, 'certificateEnding', 'attention', { environment, left: left(last.usableUntil) }, { deadline: last.usableUntil }),
    ];
    return {
      signal,
      level: stopped ? 'quiet' : 'attention',
      word: `Ends in ${roughSpanWords(left(deadline))}`,
      figure: null,
      deadline,
      page,
      needs,
    };
  }
  return { signal, level: stopped ? 'quiet' : 'healthy', word: 'Valid', figure, deadline, page, needs: [] };
}

function quiet(word: string): Finding {
  return { signal, level: 'quiet', word, figure: null, page, needs: [] };
}
