// One file for all: what an import is made of is loaded once.
import './chatwoot.ts';
import './espocrm.ts';
import './freshdesk.ts';
import './google-contacts-old.ts';
import './google-contacts.ts';
import './hubspot.ts';
import './intercom.ts';
import './mailchimp-unsubscribed.ts';
import './mailchimp.ts';
import './outlook.ts';
import './pipedrive.ts';
import './salesforce-data-loader.ts';
import './salesforce.ts';
import './sugarcrm.ts';
import './suitecrm.ts';
import './vcard.ts';
import './zendesk.ts';
