ALTER TABLE `programs` ADD `rules_by_line` integer DEFAULT false NOT NULL;
