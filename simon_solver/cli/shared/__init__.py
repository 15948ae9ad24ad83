"""What commands share: options, output, progress, exit codes, and how a command ends."""
