import { sql } from 'drizzle-orm';

/** The owner of the oldest workspace set up the service (decision 49). */
export const OPERATORS_WORKSPACE = sql`(SELECT min(id) FROM workspaces)`;

/** That workspace's active owners, as rows of `user_id`. */
export const OPERATORS = sql`(
	SELECT user_id FROM members WHERE workspace_id = ${OPERATORS_WORKSPACE} AND role = 'owner' AND deactivated_at IS NULL
)`;
