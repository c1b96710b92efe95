-- No AUTOINCREMENT where nothing is ever deleted, and no index for the states that nearly all events end in. The foreign key to the sale goes
-- (see ledger_in_fewer_rows): the id is a note. What waits is made anew with it, as its foreign key leads here, and without a rowid: edited, for Drizzle
-- cannot say that.
CREATE TABLE `__new_processor_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`program_id` integer NOT NULL,
	`processor` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`is_test` integer NOT NULL,
	`happened_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`payload` text,
	`state` text NOT NULL,
	`reason` text,
	`sale_id` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`expires_at` integer NOT NULL,
	`settled_at` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "processor_events_state_known" CHECK("__new_processor_events"."state" IN ('received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed')),
	CONSTRAINT "processor_events_due_until_settled" CHECK(("__new_processor_events"."state" IN ('received', 'waiting')) = ("__new_processor_events"."next_attempt_at" IS NOT NULL)
			AND ("__new_processor_events"."next_attempt_at" IS NULL) = ("__new_processor_events"."settled_at" IS NOT NULL)),
	CONSTRAINT "processor_events_reason_given" CHECK("__new_processor_events"."state" = 'received' OR "__new_processor_events"."reason" IS NOT NULL),
	CONSTRAINT "processor_events_payload_kept" CHECK("__new_processor_events"."payload" IS NOT NULL OR "__new_processor_events"."settled_at" IS NOT NULL)
);
--> statement-breakpoint
INSERT INTO `__new_processor_events`("id", "program_id", "processor", "event_id", "type", "is_test", "happened_at", "received_at", "payload", "state", "reason", "sale_id", "attempts", "next_attempt_at", "expires_at", "settled_at", "revision") SELECT "id", "program_id", "processor", "event_id", "type", "is_test", "happened_at", "received_at", "payload", "state", "reason", "sale_id", "attempts", "next_attempt_at", "expires_at", "settled_at", "revision" FROM `processor_events`;
--> statement-breakpoint
CREATE TABLE `__new_processor_event_waits` (
	`program_id` integer NOT NULL,
	`processor_id` text NOT NULL,
	`processor_event_id` integer NOT NULL,
	PRIMARY KEY(`program_id`, `processor_id`, `processor_event_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`processor_event_id`) REFERENCES `__new_processor_events`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_processor_event_waits` SELECT `program_id`, `processor_id`, `processor_event_id` FROM `processor_event_waits`;
--> statement-breakpoint
DROP TABLE `processor_event_waits`;
--> statement-breakpoint
DROP TABLE `processor_events`;
--> statement-breakpoint
ALTER TABLE `__new_processor_events` RENAME TO `processor_events`;
--> statement-breakpoint
ALTER TABLE `__new_processor_event_waits` RENAME TO `processor_event_waits`;
--> statement-breakpoint
CREATE INDEX `processor_event_waits_by_event` ON `processor_event_waits` (`processor_event_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `processor_events_once` ON `processor_events` (`program_id`,`processor`,`event_id`);
--> statement-breakpoint
CREATE INDEX `processor_events_by_program` ON `processor_events` (`program_id`,`id`);
--> statement-breakpoint
CREATE INDEX `processor_events_by_state` ON `processor_events` (`program_id`,`state`,`id`) WHERE "processor_events"."state" IN ('refused', 'expired', 'failed');
--> statement-breakpoint
CREATE INDEX `processor_events_due` ON `processor_events` (`next_attempt_at`) WHERE "processor_events"."next_attempt_at" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `processor_events_purgeable` ON `processor_events` (`settled_at`) WHERE "processor_events"."payload" IS NOT NULL AND "processor_events"."settled_at" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER processor_events_keep BEFORE UPDATE ON processor_events
WHEN NEW.program_id <> OLD.program_id OR NEW.processor <> OLD.processor OR NEW.event_id <> OLD.event_id OR NEW.type <> OLD.type
	OR NEW.is_test <> OLD.is_test OR NEW.happened_at <> OLD.happened_at OR NEW.received_at <> OLD.received_at
	OR (NEW.payload IS NOT NULL AND NEW.payload IS NOT OLD.payload)
BEGIN
	SELECT RAISE(ABORT, 'processor_events: what was received never changes');
END;
--> statement-breakpoint
CREATE TRIGGER processor_events_revised BEFORE UPDATE ON processor_events WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: processor_events');
END;
--> statement-breakpoint
CREATE TRIGGER processor_events_stay BEFORE DELETE ON processor_events BEGIN
	SELECT RAISE(ABORT, 'processor_events: stay');
END;
