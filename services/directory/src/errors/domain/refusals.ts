import { ScimError } from '@ostiary/scim';

// To SCIM these are the errors of RFC 7644; the graph says more about them.

/** Another change came first (412). */
export class VersionMismatch extends ScimError {
  /** The version there is. */
  readonly currentVersion: number;

  constructor(currentVersion: number) {
    const { status, detail, scimType } = ScimError.preconditionFailed();
    super(status, detail, scimType);
    this.currentVersion = currentVersion;
  }
}

/** Another resource has the value (409 uniqueness). */
export class NotUniqueValue extends ScimError {
  readonly attribute: string | undefined;

  constructor(detail: string, attribute?: string) {
    super(409, detail, 'uniqueness');
    this.attribute = attribute;
  }
}

/** A value can't be right (400 invalidValue). */
export class InvalidAttribute extends ScimError {
  readonly attribute: string;

  constructor(detail: string, attribute: string) {
    super(400, detail, 'invalidValue');
    this.attribute = attribute;
  }
}

/** The answer to a change that would give a role, or change what a role holder is recognised by (403). */
export const givesRole = (): ScimError =>
  ScimError.forbidden(
    'This change assigns a role or affects a holder of one. It requires the right to assign that role.',
  );
