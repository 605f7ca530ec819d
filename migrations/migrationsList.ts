import { Migration20261121090000_accounts } from './Migration20261121090000_accounts.ts';
import { Migration20261121090100_integrations } from './Migration20261121090100_integrations.ts';
import { Migration20261121090200_sharing } from './Migration20261121090200_sharing.ts';
import { Migration20261121090300_admitV1 } from './Migration20261121090300_admitV1.ts';
import { Migration20261121120000_sharingCommands } from './Migration20261121120000_sharingCommands.ts';
import { Migration20261121160000_admitV2 } from './Migration20261121160000_admitV2.ts';
import { Migration20261121170000_portalProgramme } from './Migration20261121170000_portalProgramme.ts';
import { Migration20261121180200_reviewLists } from './Migration20261121180200_reviewLists.ts';
import { Migration20261121181500_administrationLists } from './Migration20261121181500_administrationLists.ts';
import { Migration20261121190000_forgottenHistory } from './Migration20261121190000_forgottenHistory.ts';
import { Migration20261121191000_acceptances } from './Migration20261121191000_acceptances.ts';
import { Migration20261121192000_certificatePages } from './Migration20261121192000_certificatePages.ts';
import { Migration20261121193000_forgottenAddresses } from './Migration20261121193000_forgottenAddresses.ts';
import { Migration20261121200000_admission } from './Migration20261121200000_admission.ts';
import { Migration20261122120000_sandboxFixtures } from './Migration20261122120000_sandboxFixtures.ts';
import { Migration20261122130100_certifiedKeys } from './Migration20261122130100_certifiedKeys.ts';
import { Migration20261122140000_linkNetworks } from './Migration20261122140000_linkNetworks.ts';
import { Migration20261122150000_submissionsBack } from './Migration20261122150000_submissionsBack.ts';
import { Migration20261122151000_terminalAgreements } from './Migration20261122151000_terminalAgreements.ts';
import { Migration20261122152000_recordedByHand } from './Migration20261122152000_recordedByHand.ts';
import { Migration20261122140100_confirmedGenerations } from './Migration20261122140100_confirmedGenerations.ts';
import { Migration20261122140200_lockedAccounts } from './Migration20261122140200_lockedAccounts.ts';

/** Every migration in order. They only go forward and keep data. */
export const migrationsList = [
  { name: 'Migration20261121090000_accounts', class: Migration20261121090000_accounts },
  { name: 'Migration20261121090100_integrations', class: Migration20261121090100_integrations },
  { name: 'Migration20261121090200_sharing', class: Migration20261121090200_sharing },
  { name: 'Migration20261121090300_admitV1', class: Migration20261121090300_admitV1 },
  { name: 'Migration20261121120000_sharingCommands', class: Migration20261121120000_sharingCommands },
  { name: 'Migration20261121160000_admitV2', class: Migration20261121160000_admitV2 },
  { name: 'Migration20261121170000_portalProgramme', class: Migration20261121170000_portalProgramme },
  { name: 'Migration20261121180200_reviewLists', class: Migration20261121180200_reviewLists },
  { name: 'Migration20261121181500_administrationLists', class: Migration20261121181500_administrationLists },
  { name: 'Migration20261121190000_forgottenHistory', class: Migration20261121190000_forgottenHistory },
  { name: 'Migration20261121191000_acceptances', class: Migration20261121191000_acceptances },
  { name: 'Migration20261121192000_certificatePages', class: Migration20261121192000_certificatePages },
  { name: 'Migration20261121193000_forgottenAddresses', class: Migration20261121193000_forgottenAddresses },
  { name: 'Migration20261121200000_admission', class: Migration20261121200000_admission },
  { name: 'Migration20261122120000_sandboxFixtures', class: Migration20261122120000_sandboxFixtures },
  { name: 'Migration20261122130100_certifiedKeys', class: Migration20261122130100_certifiedKeys },
  { name: 'Migration20261122140000_linkNetworks', class: Migration20261122140000_linkNetworks },
  { name: 'Migration20261122150000_submissionsBack', class: Migration20261122150000_submissionsBack },
  { name: 'Migration20261122151000_terminalAgreements', class: Migration20261122151000_terminalAgreements },
  { name: 'Migration20261122152000_recordedByHand', class: Migration20261122152000_recordedByHand },
  { name: 'Migration20261122140100_confirmedGenerations', class: Migration20261122140100_confirmedGenerations },
  { name: 'Migration20261122140200_lockedAccounts', class: Migration20261122140200_lockedAccounts },
];
