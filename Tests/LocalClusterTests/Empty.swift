// Tests come with the next step.
