import type { JobName, JobPayloads } from '../shared/jobs.ts';
import { jsonObject, word } from '../shared/functions/sqlText.ts';
import type { traceMember } from '../shared/traces.ts';
import type { MailKind } from './mailKinds.ts';

type Payload = keyof JobPayloads['sendMail'] | typeof traceMember;

/**
 * Queues one mail with the job that sends it, at most once per kind and subject. The address is read when the mail is sent, so that it goes to
 * the address of that time and a deleted account gets none. Only `account_deleted` stores its address until it is sent.
 */
export const queueMail = `
create or replace function queue_mail(p_kind text, p_subject_id text, p_operator_id text, p_integration_id text, p_details json, p_now timestamptz, p_trace text)
returns void language plpgsql volatile as $$
declare
  mail_id text;
begin
  insert into mail (id, kind, subject_id, operator_id, integration_id, details, recipient, created_at)
  values (new_id('mail'), p_kind, p_subject_id, p_operator_id, p_integration_id, p_details,
          case when p_kind = ${word('account_deleted' satisfies MailKind)} then (select email from operator where id = p_operator_id) end, p_now)
  on conflict (kind, subject_id) do nothing returning id into mail_id;
  if found then
    perform graphile_worker.add_job(${word('sendMail' satisfies JobName)}, payload => json_strip_nulls(${jsonObject<Payload>({ mailId: 'mail_id', _trace: 'p_trace' })}));
  end if;
end
$$;`;
